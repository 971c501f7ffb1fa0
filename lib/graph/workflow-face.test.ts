import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { workflowFace } from './workflow-face';

function face(fields: string) {
  const [card] = readFolder(folderOf({ 'w.md': `---\n${fields}\n---\n` })).cards;
  if (card === undefined) throw new Error('The card cannot be read');
  const { workflow } = workflowFace(card);
  return workflow === undefined ? undefined : [workflow.sign, workflow.words];
}

const variable = `$\{WEATHER_AGENT}`;

test.each([
  ['name: a', undefined],
  ['type: chain\nsequence: [a]', [undefined, '1 step in order']],
  ['type: chain\nsequence: [a, b]\ncumulative: true', [undefined, '2 steps, cumulative']],
  ['type: parallel\nfan_out: [a, b]', ['fork', '2 at once, answers joined']],
  ['type: parallel\nfan_out: [a, b]\nfan_in: c', ['fork', '2 at once']],
  ['type: evaluator_optimizer\ngenerator: a\nevaluator: b', [undefined, undefined]],
  ['type: router\nagents: [a, b, c]', ['choice', 'one of 3']],
  ['type: orchestrator\nagents: [a]', ['plan', 'plan, ≤ 5 rounds']],
  ['type: orchestrator\nagents: [a]\nplan_type: iterative\nplan_iterations: 2', ['replan', 'step by step, ≤ 2']],
  ['type: orchestrator\nagents: [a]\nplan_iterations: 0', ['plan', 'plan, until done']],
  [
    'type: orchestrator\nagents: [a]\nplan_type: iterative\nplan_iterations: -1',
    ['replan', 'step by step, until done'],
  ],
  ['type: iterative_planner\nagents: [a]', ['replan', 'until done']],
  ['type: iterative_planner\nagents: [a]\nplan_iterations: 4', ['replan', '≤ 4 plans']],
  ['type: MAKER\nworker: a\nk: 5', ['vote', 'first to lead by 5']],
  ['type: a2a\nurl: https://me:secret@agents.example.com:8443/weather?x=1', [undefined, 'agents.example.com:8443']],
  [`type: a2a\nurl: ${variable}`, [undefined, variable]],
  ['type: a2a\nurl: ""', [undefined, 'no address']],
])('%s', (fields, expected) => {
  expect(face(fields)).toEqual(expected);
});
