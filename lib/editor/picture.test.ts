import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { drawPicture, type Installation } from './picture';

const folder = folderOf({
  'agent-cards/lead.md': '---\nname: lead\nservers: [search]\nfunction_tools: [../t.py:f]\n---\n',
  't.py': 'def f():\n    """Does."""\n',
  'fast-agent.yaml': `mcp:\n  servers:\n    search: { url: "https://host/mcp?k=\${SEARCH_TOKEN}" }\n`,
});

const codes = (here: Installation) => drawPicture(folder, undefined, here).parsed.issues.map(({ code }) => code);

test('what an installation does not give is a problem of the folder there, and nowhere else', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ pythonOff: true, projectEnv: [] })).toEqual(['python-off', 'variable-not-listed']);
  expect(codes({ pythonOff: false, projectEnv: ['SEARCH_TOKEN'] })).toEqual([]);
  expect(codes({ projectEnv: ['OTHER'] })).toEqual(['variable-not-listed']);
});
