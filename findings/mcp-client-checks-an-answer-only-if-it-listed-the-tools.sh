#!/usr/bin/env bash
# Expected: The client of the Model Context Protocol checks structured content against the output schema of a tool.
# Instead: It does so only when the program has called listTools before: the same call with the same wrong answer
#   succeeds without it.
# Version: @modelcontextprotocol/sdk 1.32.2, 28 November 2026.
# Matters because: A null limit against a schema of integer alone passes in a script and fails in an assistant that
#   lists tools first. In schemas, write ["integer", "null"].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const outputSchema = { type: 'object', properties: { limit: { type: 'integer' } }, required: ['limit'] };
const call = async (lists) => {
  const server = new Server({ name: 'usage', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'usage', inputSchema: { type: 'object' }, outputSchema }] }));
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: { limit: null } }));
  const client = new Client({ name: 'script', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(near), client.connect(far)]);
  if (lists) await client.listTools();
  return client.callTool({ name: 'usage', arguments: {} }).then(() => 'accepted', (error) => error.message);
};
const results = [await call(false), await call(true)];
console.log('limit null against an integer: without listTools %s; with it: %s', ...results);
if (results[0] !== 'accepted' || results[1] === 'accepted') process.exit(1);
EOF
node run.mjs
