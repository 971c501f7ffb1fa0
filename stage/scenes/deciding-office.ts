/** A run in which every kind of workflow decides something. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;
const json = (value: object) => `'${JSON.stringify(value)}'`;
const says = (name: string, text: string, more = '') => `  ${name}:\n${more}    - turns:\n        - text: ${text}\n`;
const when = (words: string, text: string) =>
  `    - when_input_contains: ${words}\n      turns:\n        - text: ${text}\n`;

/** What the router says. */
export const route = { agent: 'billing', confidence: 'high', reasoning: 'The customer asks about an invoice.' };
export const fair = {
  rating: 'FAIR',
  feedback: 'It does not name the sum.',
  needs_improvement: true,
  focus_areas: ['the sum', 'the date'],
};
export const good = { rating: 'GOOD', feedback: 'It names the sum now.', needs_improvement: false, focus_areas: [] };
const firstPlan = {
  description: 'Write and check the letter.',
  tasks: [
    { agent: 'writer', description: 'Write the letter.' },
    { agent: 'checker', description: 'Check the address.' },
  ],
  is_complete: false,
};
const noMore = { description: 'All is done.', tasks: [], is_complete: true };

/** A chain whose steps are a router, an evaluator, a planner and a vote, in this order. */
export const decidingOffice: Readonly<Record<string, string>> = {
  'agent-cards/office.md': card('office', 'type: chain\ndefault: true\nsequence: [desk, editor, boss, jury]\n'),
  'agent-cards/desk.md': card('desk', 'type: router\nagents: [billing, sales]\n'),
  'agent-cards/editor.md': card(
    'editor',
    'type: evaluator_optimizer\ngenerator: writer\nevaluator: judge\nmin_rating: GOOD\n',
  ),
  'agent-cards/boss.md': card('boss', 'type: iterative_planner\nagents: [writer, checker]\n'),
  'agent-cards/jury.md': card('jury', 'type: MAKER\nworker: juror\nk: 3\n'),
  ...Object.fromEntries(
    ['billing', 'sales', 'writer', 'judge', 'checker', 'juror'].map((name) => [
      `agent-cards/${name}.md`,
      card(name, `description: Does the work of a ${name}.\n`),
    ]),
  ),
  'callboard.yaml': [
    'version: 1\nentry: office\nscripts:\n',
    says('desk', json(route)),
    says('billing', 'The invoice is from May.'),
    says('writer', 'The first draft.', when('the sum', 'The second draft.')),
    says('judge', json(fair), when('second draft', json(good))),
    `  boss:\n    - turns:\n        - text: ${json(firstPlan)}\n        - text: ${json(noMore)}\n        - text: The letter is sent.\n`,
    says('checker', 'The address is right.'),
    says('juror', 'Yes.'),
  ].join(''),
};

/** The decisions in the words of the page. */
export const decisions = {
  route: 'Chose billing (confidence high)',
  fair: 'Rated attempt 1: FAIR, to be refined',
  good: 'Rated attempt 2: GOOD, accepted',
  plan: 'Planned step 1: 2 tasks',
  votes: 'The answer led by 3 after 3 samples',
};
