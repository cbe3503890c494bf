//! The words of footers.

use std::borrow::Cow;

use super::zone::fill;
use super::{AnomalyKind, ContractError};

type Text = Cow<'static, str>;

/// A noun with its number: `{n}` stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plural {
    /// For one.
    pub one: Text,
    /// For every other number.
    pub other: Text,
}

impl Plural {
    const fn new(one: &'static str, other: &'static str) -> Self {
        Self { one: Cow::Borrowed(one), other: Cow::Borrowed(other) }
    }

    /// For languages whose nouns do not change.
    const fn same(text: &'static str) -> Self {
        Self::new(text, text)
    }

    pub(super) fn of(&self, number: u64) -> String {
        let text = if number == 1 { &self.one } else { &self.other };
        fill(text, &[("n", &number.to_string())])
    }
}

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nouns {
    /// Attempts.
    pub attempts: Plural,
    /// Requests.
    pub requests: Plural,
    /// Anomalies, in the order of [`AnomalyKind::ALL`].
    pub anomalies: [Plural; 6],
}

impl Nouns {
    pub(super) fn anomaly(&self, kind: AnomalyKind) -> &Plural {
        &self.anomalies[kind as usize]
    }
}

/// The words of one language. All fields are open, so that anybody can add theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    /// Before the name of a source, with its colon: `Source: `.
    pub source: Text,
    /// Before the vintage, with its space.
    pub data_as_of: Text,
    /// The time of retrieval: `{time}`.
    pub retrieved: Text,
    /// Before the licence.
    pub license: Text,
    /// A date of `{year}`, `{month}` and `{day}`.
    pub date: Text,
    /// A moment of `{date}`, `{clock}` and `{zone}`.
    pub moment: Text,
    /// That data was hard to get: `{attempts}`, `{requests}` and `{anomalies}`, which is empty or in [`Locale::anomalies`].
    pub unstable: Text,
    /// Around `{list}` of anomalies.
    pub anomalies: Text,
    /// Between anomalies.
    pub comma: Text,
    /// That data is preliminary, with its full stop.
    pub provisional: Text,
    /// Before what the server has computed.
    pub derived: Text,
    /// Before warnings of the source.
    pub notices: Text,
    /// Between warnings.
    pub semicolon: Text,
    /// Between sentences.
    pub space: Text,
    /// The full stop.
    pub stop: Text,
    /// That more can be asked for; the last line of a concise footer.
    pub full_reference: Text,
    /// What is counted.
    pub nouns: Nouns,
}

impl Locale {
    /// A language by its name: `pt-BR`, `en`, and beyond the contract's own `ja`.
    ///
    /// # Errors
    /// Another one.
    pub fn named(name: &str) -> Result<Self, ContractError> {
        match name {
            "pt-BR" => Ok(Self::pt_br()),
            "en" => Ok(Self::en()),
            "ja" => Ok(Self::ja()),
            other => Err(ContractError::Locale(other.to_owned())),
        }
    }

    /// Portuguese of Brazil.
    pub fn pt_br() -> Self {
        Self {
            source: "Fonte: ".into(),
            data_as_of: "dados de ".into(),
            retrieved: "extraído em {time}".into(),
            license: "Licença: ".into(),
            date: "{day}/{month}/{year}".into(),
            moment: "{date} às {clock} ({zone})".into(),
            unstable: "Obtenção instável: {attempts} para {requests} à origem{anomalies}.".into(),
            anomalies: " ({list})".into(),
            comma: ", ".into(),
            provisional: "Dados preliminares: a fonte ainda pode completá-los ou corrigi-los."
                .into(),
            derived: "Valores calculados pelo servidor a partir dos dados da fonte: ".into(),
            notices: "Avisos da fonte: ".into(),
            semicolon: "; ".into(),
            space: " ".into(),
            stop: ".".into(),
            full_reference:
                "A referência completa desta informação pode ser solicitada nesta própria conversa."
                    .into(),
            nouns: Nouns {
                attempts: Plural::new("{n} tentativa", "{n} tentativas"),
                requests: Plural::new("{n} consulta", "{n} consultas"),
                anomalies: [
                    Plural::new(
                        "{n} tempo de resposta esgotado",
                        "{n} tempos de resposta esgotados",
                    ),
                    Plural::new("{n} falha de rede", "{n} falhas de rede"),
                    Plural::new("{n} recusa da origem", "{n} recusas da origem"),
                    Plural::new("{n} erro da origem", "{n} erros da origem"),
                    Plural::new(
                        "{n} limite de consultas atingido",
                        "{n} limites de consultas atingidos",
                    ),
                    Plural::new("{n} resposta malformada", "{n} respostas malformadas"),
                ],
            },
        }
    }

    /// English.
    pub fn en() -> Self {
        Self {
            source: "Source: ".into(),
            data_as_of: "data as of ".into(),
            retrieved: "retrieved on {time}".into(),
            license: "License: ".into(),
            date: "{year}-{month}-{day}".into(),
            moment: "{date}, {clock} ({zone})".into(),
            unstable: "Unstable retrieval: {attempts} for {requests} to the source{anomalies}."
                .into(),
            anomalies: " ({list})".into(),
            comma: ", ".into(),
            provisional: "Preliminary data: the source may still complete or correct it.".into(),
            derived: "Values computed by the server from the source data: ".into(),
            notices: "Notices from the source: ".into(),
            semicolon: "; ".into(),
            space: " ".into(),
            stop: ".".into(),
            full_reference:
                "The complete reference for this information can be requested here, in this same conversation."
                    .into(),
            nouns: Nouns {
                attempts: Plural::new("{n} attempt", "{n} attempts"),
                requests: Plural::new("{n} request", "{n} requests"),
                anomalies: [
                    Plural::new("{n} timeout", "{n} timeouts"),
                    Plural::new("{n} network failure", "{n} network failures"),
                    Plural::new("{n} refusal by the source", "{n} refusals by the source"),
                    Plural::new("{n} error at the source", "{n} errors at the source"),
                    Plural::new("{n} rate limit reached", "{n} rate limits reached"),
                    Plural::new("{n} malformed response", "{n} malformed responses"),
                ],
            },
        }
    }

    /// Japanese.
    pub fn ja() -> Self {
        Self {
            source: "出典：".into(),
            data_as_of: "データ時点 ".into(),
            retrieved: "{time} 取得".into(),
            license: "ライセンス：".into(),
            date: "{year}年{month}月{day}日".into(),
            moment: "{date} {clock}（{zone}）".into(),
            unstable: "取得は不安定でした：出典への{requests}に対し{attempts}{anomalies}。".into(),
            anomalies: "（{list}）".into(),
            comma: "、".into(),
            provisional: "速報値：出典側で追加・訂正される可能性があります。".into(),
            derived: "出典データからサーバーが計算した値：".into(),
            notices: "出典からの注意：".into(),
            semicolon: "；".into(),
            space: "".into(),
            stop: "。".into(),
            full_reference: "この情報の完全な出典情報は、この会話の中で求めることができます。"
                .into(),
            nouns: Nouns {
                attempts: Plural::same("試行{n}回"),
                requests: Plural::same("照会{n}件"),
                anomalies: [
                    Plural::same("タイムアウト{n}回"),
                    Plural::same("通信障害{n}回"),
                    Plural::same("出典の拒否{n}回"),
                    Plural::same("出典のエラー{n}回"),
                    Plural::same("回数制限{n}回"),
                    Plural::same("不正な応答{n}回"),
                ],
            },
        }
    }

    /// `yyyy-mm-dd`, as people write it.
    pub(super) fn date(&self, date: &str) -> String {
        let mut parts = date.split('-');
        let mut next = || parts.next().unwrap_or_default();
        let (year, month, day) = (next(), next(), next());
        fill(&self.date, &[("year", year), ("month", month), ("day", day)])
    }

    pub(super) fn moment(&self, date: &str, clock: &str, zone: &str) -> String {
        fill(&self.moment, &[("date", &self.date(date)), ("clock", clock), ("zone", zone)])
    }

    /// A text with a full stop at its end, and no second one.
    pub(super) fn sentence(&self, text: &str) -> String {
        match text.ends_with(&*self.stop) {
            true => text.to_owned(),
            false => format!("{text}{}", self.stop),
        }
    }
}
