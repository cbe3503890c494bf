//! Blocks of the provenance contract.

use genten_mcp::contract::{Contract, Locale, Mode, Version};

/// Whatever is read is written the same each time, and what is written in full reads back as the same block.
pub(crate) fn contract(bytes: &[u8]) -> bool {
    let mut is_read = false;
    for version in [Version::V1_0, Version::V1_1, Version::V1_2, Version::V1_3] {
        let contract = Contract::new("com.example.laws").expect("a prefix").locale(Locale::ja());
        let contract = contract.version(version);
        let Ok(block) = contract.read(bytes) else { continue };
        is_read = true;
        let written = block.render(Mode::Detailed);
        let again = contract.read(written.as_bytes()).expect("what was written is read");
        assert_eq!(again.render(Mode::Detailed), written);
        assert_eq!(again.render(Mode::Concise), block.render(Mode::Concise));
        let result = contract.result(bytes, &block, None).expect("the input is an object");
        let json: serde_json::Value = serde_json::from_str(&result.json).expect("a result is JSON");
        assert_eq!(json["content"][1]["text"], result.texts[1]);
    }
    is_read
}
