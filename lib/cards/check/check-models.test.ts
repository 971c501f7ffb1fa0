import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { modelsOf, unservedModels } from './check-models';

const lead = '---\nname: lead\nagents: [kid, far]\nmodel: passthrough\n---\nLead.\n';
const kid = '---\nname: kid\nmodel: passthrough\n---\nHelp.\n';
const far = '---\ntype: a2a\nname: far\nurl: https://far.example/\n---\n';

function unserved(pair: string, files: Readonly<Record<string, string>>): readonly (readonly [string, number])[] {
  const [parent = '', child = ''] = pair.split(' > ');
  const settings = `version: 1\ndelegations: {${parent}: {${child}: {model: nobody.knows}}}\n`;
  const folder = folderOf({ ...files, 'callboard.yaml': settings });
  const here = { variables: {}, projectEnv: {}, hasValues: true };
  return unservedModels(modelsOf(folder, readFolder(folder)), here).map(({ file, line }) => [file, line]);
}

test('the model of a delegation is looked for where a run can follow the delegation, and nowhere else', () => {
  const files = { 'agent-cards/lead.md': lead, 'agent-cards/kid.md': kid, 'agent-cards/far.md': far };
  expect(unserved('lead > kid', files)).toEqual([['callboard.yaml', 2]]);
  const { 'agent-cards/lead.md': _lead, ...orphans } = files;
  expect(unserved('lead > kid', orphans)).toEqual([]);
  const { 'agent-cards/kid.md': _kid, ...childless } = files;
  expect(unserved('lead > kid', childless)).toEqual([]);
  expect(unserved('kid > lead', files)).toEqual([]);
  expect(unserved('lead > far', files)).toEqual([]);
});
