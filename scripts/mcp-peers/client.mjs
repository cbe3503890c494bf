// Calls the server `laws` with the TypeScript client 2.x, in the versions of the protocol that it speaks over standard input and
// output, and saves each result: PREFIX-VERSION.json.
import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

for (const [version, options] of [["default", {}], ["auto", { versionNegotiation: { mode: "auto" } }]]) {
  const transport = new StdioClientTransport({ command: process.env.LAWS, env: { ...process.env } });
  const client = new Client({ name: "genten-peer", version: "1" }, options);
  await client.connect(transport);
  const result = await client.callTool({ name: "article", arguments: { article: 2 } });
  writeFileSync(`${process.argv[2]}-${version}.json`, JSON.stringify(result));
  await client.close();
}
