import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { askedVariables, neededVariables, unlistedVariables } from './asked-variables';

const folder = folderOf({
  'fast-agent.yaml': `mcp:
  servers:
    search:
      url: "https://\${HOST}/mcp?k=\${KEY:none}"
      headers: { Authorization: "Bearer \${SEARCH_TOKEN}" }
      access_token: "\${SEARCH_TOKEN}"
    files:
      command: "\${NODE:node}"
      args: ["\${FIRST}", plain]
      env: { API_KEY: "\${SEARCH_TOKEN}" }
      cwd: "\${WHERE}"
      roots: [{ uri: "file:///\${ROOT}" }]
`,
  'fast-agent.secrets.yaml': `mcp: { servers: { search: { headers: { X-Team: "\${TEAM}" } } } }\n`,
  'agent-cards/lead.md': `---
name: lead
mcp_connect:
  docs: { target: "https://docs.example.com/mcp?k=\${DOCS_KEY}", headers: { X: "\${X_HEADER}" }, access_token: "\${DOCS_TOKEN}" }
---
Hello \${NOT_A_VARIABLE}
`,
});

test('every place that a run would fill in is found, once for each use', () => {
  const asked = askedVariables(readFolder(folder));
  expect(asked.map(({ name }) => name)).toEqual([
    'DOCS_KEY',
    'DOCS_TOKEN',
    'FIRST',
    'HOST',
    'KEY',
    'NODE',
    'ROOT',
    'SEARCH_TOKEN',
    'WHERE',
    'X_HEADER',
  ]);
  const uses = (name: string) => asked.find((one) => one.name === name)?.uses;
  const search = { server: 'search', file: 'fast-agent.yaml', agent: undefined };
  expect(uses('KEY')).toEqual([{ ...search, hasDefault: true }]);
  expect(uses('SEARCH_TOKEN')).toEqual([
    { ...search, hasDefault: false },
    { ...search, hasDefault: false },
    { ...search, server: 'files', hasDefault: false },
  ]);
  expect(uses('DOCS_TOKEN')).toEqual([
    { server: 'docs', file: 'agent-cards/lead.md', agent: 'lead', hasDefault: false },
  ]);
});

test('with the secrets merged in, what the secrets file asks for is found too', () => {
  const parsed = readFolder(folder);
  const merged = askedVariables({ ...parsed, config: withSecrets(parsed, folder).config });
  expect(merged.map(({ name }) => name)).toContain('TEAM');
});

test('a variable that is not listed and has no default is a warning where the file first names it, once for each server', () => {
  const listed = ['HOST', 'FIRST', 'ROOT', 'X_HEADER', 'DOCS_KEY', 'WHERE'];
  const issues = unlistedVariables(neededVariables(folder, readFolder(folder)), listed);
  expect(issues.map(({ code, file, line, column, agent }) => [code, file, line, column, agent])).toEqual([
    ['variable-not-listed', 'agent-cards/lead.md', 4, 111, 'lead'],
    ['variable-not-listed', 'fast-agent.yaml', 5, 41, undefined],
    ['variable-not-listed', 'fast-agent.yaml', 5, 41, undefined],
  ]);
  expect(issues[0]?.message).toBe(
    "Server 'docs' asks for the variable DOCS_TOKEN, which this installation does not give to projects. Set DOCS_TOKEN as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.",
  );
});

test('so is one in the address or the headers of a remote agent', () => {
  const remote = folderOf({
    'far.md': `---\ntype: a2a\nname: far\nurl: https://\${FAR_HOST:far.example}/\nheaders: {Authorization: "Bearer \${FAR_TOKEN}"}\n---\n`,
  });
  const issues = unlistedVariables(neededVariables(remote, readFolder(remote)), []);
  expect(issues.map(({ code, line, column, agent, message }) => [code, line, column, agent, message])).toEqual([
    [
      'variable-not-listed',
      5,
      34,
      'far',
      "Remote agent 'far' asks for the variable FAR_TOKEN, which this installation does not give to projects. Set FAR_TOKEN as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.",
    ],
  ]);
});
