"""PyPI joserfc as a peer: reads {"verify": [...], "sign": [...]} from standard input, answers {"verified": [...], "signed": [...]}."""

import json
import sys
import warnings

from joserfc import jws
from joserfc.jwk import import_key

warnings.simplefilter("ignore")  # it warns of the name EdDSA, which RFC 9864 replaced


def verify(item):
    try:
        key = import_key(item["jwk"])
        found = jws.deserialize_compact(item["token"], key, algorithms=item["algorithms"])
        return found.payload.decode()
    except Exception:  # whatever it is, the token was not accepted
        return None


def sign(item):
    key = import_key(item["jwk"])
    header = item["header"]
    return jws.serialize_compact(header, item["payload"], key, algorithms=[header["alg"]])


work = json.load(sys.stdin)
answer = {"verified": [verify(item) for item in work["verify"]], "signed": [sign(item) for item in work["sign"]]}
print(json.dumps(answer))
