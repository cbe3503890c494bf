PRAGMA application_id = 1198421102;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;

INSERT INTO entry VALUES (
    1, '0101010101010101010101010101010101010101010101010101010101010101',
    '2026-11-30T08:00:01.250Z', '2026-11-30T08:00:00Z', 1796025600000, NULL,
    'https://www.rfc-editor.org/rfc/rfc9421.txt', NULL, NULL, 'static', 'recorded',
    'did:key:zExample#zExample', 'abababababababababababababababababababababababababababababababab', 12, 'store', NULL,
    '/home/user/rfc9421.txt.provenance.json',
    '{"source_url":"https://www.rfc-editor.org/rfc/rfc9421.txt"}', 'none'
);
INSERT INTO entry VALUES (
    2, '0202020202020202020202020202020202020202020202020202020202020202',
    '2026-11-30T08:00:02.000Z', '2026-11-30T07:00:00.125Z', 1796022000125, '2026-11-30T08:00:02Z',
    'https://example.org/data?key=***', 'https://cdn.example.org/data?key=***', '"v2"', NULL, 'reported',
    'did:web:example.org#key-1', 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', NULL, 'path', '/data/body.bin',
    NULL, NULL, 'queued'
);
INSERT INTO entry VALUES (
    3, '0303030303030303030303030303030303030303030303030303030303030303',
    '2026-11-30T08:00:03.000Z', '2026-11-30T08:00:03Z', 1796025603000, NULL,
    'https://example.org/', NULL, NULL, 'realtime', 'recorded',
    'did:key:zExample#zExample', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', 0, 'none', NULL,
    x'2f646174612fff', '{}', 'logged'
);
