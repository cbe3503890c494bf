// Calls the server `laws` with the TypeScript SDK 1.x, and saves the result: PREFIX-object.json.
import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const transport = new StdioClientTransport({ command: process.env.LAWS, env: { ...process.env } });
const client = new Client({ name: "genten-peer", version: "1" });
await client.connect(transport);
const result = await client.callTool({ name: "article", arguments: { article: 2 } });
writeFileSync(`${process.argv[2]}-object.json`, JSON.stringify(result, null, 2));
await client.close();
