use super::*;

fn rule(text: &str) -> JsonRule {
    read(text.as_bytes(), Limits::bytes(4096)).map(|_| ()).unwrap_err().rule
}

fn canonical(text: &str) -> String {
    let document = read(text.as_bytes(), Limits::bytes(1 << 20)).unwrap();
    let mut out = Vec::new();
    document.root().write_canonical(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn each_rule_has_its_own_name() {
    let cases = [
        ("\u{feff}{}", JsonRule::ByteOrderMark),
        ("\"\u{1}\"", JsonRule::ControlCharacter),
        ("\"a\nb\"", JsonRule::ControlCharacter),
        (r#"{"a":1,"a":2}"#, JsonRule::DuplicateMember),
        (r#"{"a":1,"\u0061":2}"#, JsonRule::DuplicateMember),
        (r#"{"z":0,"a":{"é":1,"b":2,"\u00e9":1}}"#, JsonRule::DuplicateMember),
        ("1.0", JsonRule::Fraction),
        ("1e2", JsonRule::Fraction),
        ("-0.0", JsonRule::Fraction),
        (r#""\x""#, JsonRule::InvalidEscape),
        (r#""\u00g0""#, JsonRule::InvalidEscape),
        (r#""\U0041""#, JsonRule::InvalidEscape),
        ("01", JsonRule::InvalidNumber),
        ("-x", JsonRule::InvalidNumber),
        ("-01", JsonRule::InvalidNumber),
        ("9007199254740992", JsonRule::IntegerRange),
        ("-9007199254740992", JsonRule::IntegerRange),
        ("99999999999999999999999", JsonRule::IntegerRange),
        (r#""\ud800""#, JsonRule::LoneSurrogate),
        (r#""\udc00""#, JsonRule::LoneSurrogate),
        (r#""\ud800\ud800""#, JsonRule::LoneSurrogate),
        (r#""\ud800x\udc00""#, JsonRule::LoneSurrogate),
        (r#""\uffff""#, JsonRule::Noncharacter),
        (r#""\ud83f\udffe""#, JsonRule::Noncharacter),
        ("\"\u{fdd0}\"", JsonRule::Noncharacter),
        ("\"\u{10ffff}\"", JsonRule::Noncharacter),
        ("nul", JsonRule::Syntax),
        ("True", JsonRule::Syntax),
        ("+1", JsonRule::Syntax),
        (".5", JsonRule::Syntax),
        ("NaN", JsonRule::Syntax),
        ("[1,]", JsonRule::Syntax),
        (r#"{"a":1,}"#, JsonRule::Syntax),
        (r#"{"a" 1}"#, JsonRule::Syntax),
        ("{a:1}", JsonRule::Syntax),
        ("'a'", JsonRule::Syntax),
        ("[1 2]", JsonRule::Syntax),
        ("/**/1", JsonRule::Syntax),
        ("1 x", JsonRule::TrailingData),
        ("{}{}", JsonRule::TrailingData),
        ("{}\0", JsonRule::TrailingData),
        ("", JsonRule::UnexpectedEnd),
        (" \n", JsonRule::UnexpectedEnd),
        ("[", JsonRule::UnexpectedEnd),
        (r#"{"a""#, JsonRule::UnexpectedEnd),
        (r#"{"a":"#, JsonRule::UnexpectedEnd),
        ("\"abc", JsonRule::UnexpectedEnd),
        (r#""\"#, JsonRule::UnexpectedEnd),
        (r#""\u00"#, JsonRule::UnexpectedEnd),
        (r#""\ud800\u"#, JsonRule::UnexpectedEnd),
        ("-", JsonRule::InvalidNumber),
    ];
    for (text, want) in cases {
        assert_eq!(rule(text), want, "{text:?}");
    }
    let utf8 = read(b"\"\xff\"", Limits::bytes(10)).unwrap_err();
    assert_eq!((utf8.rule, utf8.offset), (JsonRule::InvalidUtf8, 1));
}

#[test]
fn codes_are_distinct() {
    let mut codes: Vec<_> = JsonRule::ALL.iter().map(|rule| rule.code()).collect();
    assert!(codes.is_sorted());
    codes.dedup();
    assert_eq!(codes.len(), JsonRule::ALL.len());
}

#[test]
fn limits_hold() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(deep(32).as_bytes(), Limits::bytes(100)).is_ok());
    assert_eq!(rule(&deep(33)), JsonRule::TooDeep);
    assert_eq!(rule(&"[".repeat(4000)), JsonRule::TooDeep);
    let ceiling = Limits { bytes: 1 << 20, depth: usize::MAX };
    assert_eq!(read(deep(129).as_bytes(), ceiling).unwrap_err().rule, JsonRule::TooDeep);
    assert!(read(b"[1]", Limits::bytes(3)).is_ok());
    assert_eq!(read(b"[1]", Limits::bytes(2)).unwrap_err().rule, JsonRule::TooLarge);
    // Siblings do not add up to depth.
    assert!(read(b"[[],[],{},{}]", Limits { bytes: 100, depth: 2 }).is_ok());
}

#[test]
fn errors_say_where() {
    let text = r#"{"http":{"redirects":[{"url":"a"},{"url":1.5}]}}"#;
    let error = read(text.as_bytes(), Limits::bytes(100)).unwrap_err();
    assert_eq!(error.path, "$.http.redirects[1].url");
    assert_eq!(&text[error.offset..error.offset + 3], "1.5");
    let odd = read(br#"{"a b":{"x.y":nul}}"#, Limits::bytes(100)).unwrap_err();
    assert_eq!(odd.path, r#"$["a b"]["x.y"]"#);
}

#[test]
fn values_are_reached_by_name_position_and_path() {
    let text = r#"{"b":[true,{"deep":"\ud83d\ude00\/"}],"a":-7,"ü":null}"#;
    let document = read(text.as_bytes(), Limits::bytes(100)).unwrap();
    let root = document.root();
    assert_eq!(root.get("a").unwrap().as_i64(), Some(-7));
    assert_eq!(root.get("ü").unwrap().kind(), Kind::Null);
    assert!(root.get("c").is_none());
    let deep = root.get("b").unwrap().items().unwrap().nth(1).unwrap().get("deep").unwrap();
    assert_eq!(deep.as_str().unwrap(), "😀/");
    assert_eq!(deep.path(), "$.b[1].deep");
    assert_eq!(deep.raw(), br#""\ud83d\ude00\/""#);
    assert_eq!(&text.as_bytes()[deep.offset()..][..3], b"\"\\u");
    let names: Vec<_> = root.members().unwrap().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["b", "a", "ü"]);
    assert!(root.as_str().is_none() && root.items().is_none() && root.as_bool().is_none());
}

#[test]
fn canonical_form_follows_rfc_8785() {
    // Section 3.2.3, member order by UTF-16 code units; section 3.2.2.2, escapes.
    let sorted = canonical(
        r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#,
    );
    let values: Vec<_> = sorted.split(":\"").skip(1).map(|rest| &rest[..4]).collect();
    assert_eq!(values, ["Carr", "One\"", "Cont", "Lati", "Euro", "Emoj", "Hebr"]);
    assert_eq!(
        canonical(r#""\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\b\f\t\u007f""#),
        "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\\b\\f\\t\u{7f}\""
    );
    assert_eq!(canonical(" [ 1 , -0 , true,\n null, { } , [ ] ] "), "[1,0,true,null,{},[]]");
}

#[test]
fn members_can_be_left_out() {
    let document = read(br#"{"b":{"a":1},"c":2,"a":3}"#, Limits::bytes(100)).unwrap();
    let without = |names: &[&str]| {
        let mut out = Vec::new();
        document.root().write_canonical_without(names, &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(without(&["a"]), r#"{"b":{"a":1},"c":2}"#, "only own members are left out");
    assert_eq!(without(&["a", "b", "c"]), "{}");
}

#[test]
fn writers_write_canonical_json() {
    let mut array = ArrayWriter::new();
    array.string("x\u{1}").raw(b"{}");
    assert_eq!(ArrayWriter::new().finish(), b"[]");
    let mut object = ObjectWriter::new();
    let list = array.finish();
    object.boolean("t", true).raw("list", &list).optional("no", None).integer("i", -3);
    object.string("\u{fb33}", "1").string("😀", "2");
    let written = String::from_utf8(object.finish()).unwrap();
    assert_eq!(
        written,
        "{\"i\":-3,\"list\":[\"x\\u0001\",{}],\"t\":true,\"😀\":\"2\",\"\u{fb33}\":\"1\"}"
    );
    assert_eq!(canonical(&written), written);
}

#[test]
fn foreign_numbers_follow_the_grammar_of_json() {
    let read = |text: &str| read_foreign(text.as_bytes(), Limits::bytes(100)).map(drop);
    for good in ["0", "-0", "1.5", "-1.25e10", "1E+2", "1e-2", "9007199254740993", "[1.0,2]"] {
        assert!(read(good).is_ok(), "{good}");
    }
    for bad in ["1.", ".5", "1e", "1e+", "01.5", "-", "1.e1"] {
        assert!(read(bad).is_err(), "{bad}");
    }
    for (text, rule) in
        [("1.5x", JsonRule::TrailingData), ("{\"a\":1.5,\"a\":2}", JsonRule::DuplicateMember)]
    {
        assert_eq!(read(text).unwrap_err().rule, rule, "{text}");
    }
}

#[test]
fn numbers_of_others_are_printed_as_ecmascript_does() {
    for (text, expected) in [
        ("1.0", "1"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0.5e1", "5"),
        ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("100000000000000000000", "100000000000000000000"),
        ("1152921504606846976", "1152921504606847000"),
        ("1152921504606847000", "1152921504606847000"),
        ("1152921504606846976.0", "1152921504606847000"),
        ("333333333.33333329", "333333333.3333333"),
        ("1e-7", "1e-7"),
        ("0.000001", "0.000001"),
        ("999999999999999", "999999999999999"),
        ("-12345678901234568", "-12345678901234568"),
        ("1e400", "1e400"),
        // No doubles: they must not become like others.
        ("9007199254740993", "9007199254740993"),
        ("-12345678901234567", "-12345678901234567"),
        ("100000000000000000001", "100000000000000000001"),
    ] {
        let document = read_foreign(text.as_bytes(), Limits::bytes(100)).unwrap();
        let mut canonical = Vec::new();
        document.root().write_canonical(&mut canonical);
        assert_eq!(String::from_utf8(canonical).unwrap(), expected, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn every_double_is_printed_as_another_implementation_prints_it(bits: u64) {
        let number = f64::from_bits(bits);
        if let Some(json) = serde_json::Number::from_f64(number) {
            let value = serde_json::json!({"b": json, "a": [number as i64 % (1 << 53)]});
            let text = value.to_string();
            let document = read_foreign(text.as_bytes(), Limits::bytes(1000)).unwrap();
            let mut canonical = Vec::new();
            document.root().write_canonical(&mut canonical);
            proptest::prop_assert_eq!(canonical, serde_json_canonicalizer::to_vec(&value).unwrap());
        }
    }
}
