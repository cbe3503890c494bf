//! Footers in languages that the original does not have.

use genten_mcp::contract::{
    Anomaly, AnomalyKind, BlockInput, Locale, Mode, Retrieval, Revision, RevisionStatus, Version,
    Zone,
};

use crate::blocks::{contract, says};

fn full() -> BlockInput {
    let anomalies = vec![
        Anomaly { kind: AnomalyKind::Timeout, count: 1 },
        Anomaly { kind: AnomalyKind::Network, count: 2 },
    ];
    BlockInput {
        data_vintage: Some("2025".into()),
        retrieval: Some(Retrieval { requests: 2, attempts: 5, anomalies }),
        revision: Some(Revision { status: RevisionStatus::Provisional, note: Some("ñu.".into()) }),
        derived: true,
        derivation_note: Some("per head".into()),
        notices: vec!["a".into(), "b.".into()],
        ..says()
    }
}

// 004-11 004-12 004-13 004-14
#[test]
fn in_japanese() {
    let contract = contract().locale(Locale::named("ja").unwrap()).version(Version::V1_3);
    let contract = contract.zone(Zone::fixed("+09:00", Some("日本時間")).unwrap());
    let block = contract.build(full()).unwrap();
    assert_eq!(
        contract.footer([&block], Mode::Concise),
        "---\n\
         出典：Gazette · https://law.example/1 · データ時点 2025 · 2026年12月01日 08:15（日本時間） 取得\n\
         ライセンス：CC-BY-4.0。\n\
         取得は不安定でした：出典への照会2件に対し試行5回（タイムアウト1回、通信障害2回）。\n\
         速報値：出典側で追加・訂正される可能性があります。Ñu.。\n\
         出典データからサーバーが計算した値：per head。\n\
         出典からの注意：a；b.。\n\
         この情報の完全な出典情報は、この会話の中で求めることができます。"
    );
}

// 004-11 004-13 004-14 004-17
#[test]
fn in_english_in_both_modes() {
    let contract = contract().version(Version::V1_3);
    let block = contract.build(full()).unwrap();
    let detailed = contract.footer([&block], Mode::Detailed);
    assert_eq!(
        detailed,
        "---\n\
         Source: Gazette · https://law.example/1 · data as of 2025 · retrieved on 2026-11-30, 23:15 (UTC)\n\
         License: CC-BY-4.0.\n\
         Unstable retrieval: 5 attempts for 2 requests to the source (1 timeout, 2 network failures).\n\
         Preliminary data: the source may still complete or correct it. Ñu.\n\
         Values computed by the server from the source data: per head.\n\
         Notices from the source: a; b."
    );
    let concise = contract.footer([&block, &block], Mode::Concise);
    let lines = detailed.trim_start_matches("---\n");
    assert!(concise.starts_with(&format!("---\n{lines}\n{lines}\n")), "{concise}");
    assert_eq!(concise.lines().count(), 14, "each block, and one line more");
}

#[test]
fn words_of_ones_own() {
    let locale = Locale {
        source: "Fuente: ".into(),
        retrieved: "{time} {unknown} {".into(),
        moment: "{clock} {date}".into(),
        ..Locale::en()
    };
    let contract = contract().locale(locale);
    let block = contract.build(says()).unwrap();
    let footer = contract.footer([&block], Mode::Detailed);
    assert!(
        footer.contains("Fuente: Gazette · https://law.example/1 · 23:15 2026-11-30 {unknown} {\n")
    );
}
