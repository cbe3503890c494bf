// npm jose as a peer: reads {"verify": [...], "sign": [...]} from standard input, answers {"verified": [...], "signed": [...]}.
// usage: node jose.mjs FOLDER    where FOLDER/node_modules/jose is
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.argv[2] + '/');
const jose = await import(pathToFileURL(require.resolve('jose')));
const work = JSON.parse(readFileSync(0, 'utf8'));

async function verify({ token, jwk, algorithms }) {
  try {
    const { payload } = await jose.compactVerify(token, await jose.importJWK(jwk, algorithms[0]), { algorithms });
    return Buffer.from(payload).toString('utf8');
  } catch {
    return null;
  }
}

async function sign({ payload, jwk, header }) {
  const key = await jose.importJWK(jwk, header.alg);
  return new jose.CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(key);
}

const verified = [];
for (const item of work.verify) verified.push(await verify(item));
const signed = [];
for (const item of work.sign) signed.push(await sign(item));
console.log(JSON.stringify({ verified, signed }));
