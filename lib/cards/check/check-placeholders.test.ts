import { expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';

function issuesOf(file: string, text: string): readonly string[] {
  return readFolder(new Map([[file, { kind: 'text', text }]])).issues.map(
    ({ code, severity, line, column, message }) => `${severity} ${code} ${line}:${column} ${message}`,
  );
}

test('a placeholder that nothing fills in is a warning with its place, once', () => {
  const text = '---\nname: a\n---\nToday is {{currentDate}}.\nHello {{nonsense}} and {{ nonsense }}, {{curentDate}}.\n';
  expect(issuesOf('a.md', text)).toEqual([
    "warning placeholder-unknown 5:7 Nothing fills in {{nonsense}}: the model would read it as it is. Give it a value in 'request_params.template_vars', or write \\{{nonsense}} for the text itself.",
    "warning placeholder-unknown 5:40 Nothing fills in {{curentDate}}: the model would read it as it is. Did you mean '{{currentDate}}'?",
  ]);
});

test('what is filled in, escaped or of another kind is none', () => {
  const text =
    '---\nname: a\nrequest_params:\n  template_vars: { team: blue }\n---\n{{team}} {{env}} {{model_specific}} \\{{nonsense}} {{file_silent:x.md}} {{ a.b }} {{#if x}}\n';
  expect(issuesOf('a.md', text)).toEqual([]);
});

test('what fast-agent alone fills in is told, and a misspelt kind of include', () => {
  const text = '---\nname: a\n---\n{{agentCardPath}} {{files:rules.md}} {{env:HOME}} {{day:x}} {{filee:y.md}}.\n';
  expect(issuesOf('a.md', text)).toEqual([
    "warning placeholder-unknown 4:1 {{agentCardPath}} is filled in by fast-agent alone: here the model would read it as it is. Remove it, or give it a value in 'request_params.template_vars'.",
    "warning placeholder-unknown 4:19 Nothing fills in {{files:…}}: the model would read it as it is. Did you mean '{{file:…}}'?",
    "warning placeholder-unknown 4:61 Nothing fills in {{filee:…}}: the model would read it as it is. Did you mean '{{file:…}}'?",
  ]);
});

test('doubled braces of a router stand for braces', () => {
  const router = '---\ntype: router\nname: r\nagents: [kid, kid2]\n---\nChoose from {context}, not {{nonsense}}.\n';
  expect(issuesOf('a.md', router).filter((issue) => !issue.includes('missing-agent'))).toEqual([]);
});

test('a planner has a place for its agents, and other names are a warning', () => {
  const planner = '---\ntype: iterative_planner\nname: p\nagents: [kid]\n---\nPlan with {{agents}} of {{agnts}}.\n';
  const issues = issuesOf('a.md', planner).filter((issue) => issue.includes('placeholder'));
  expect(issues).toEqual([
    "warning placeholder-unknown 6:25 Nothing fills in {{agnts}}: the model would read it as it is. Did you mean '{{agents}}'?",
  ]);
});

test('a card whose only own fields are misspelt is a card with errors that say what was meant', () => {
  const issues = issuesOf('a.md', '---\nname: a\nagnets: [kid]\nmodle: gpt-4o\n---\nHello.\n');
  expect(issues).toEqual([
    "error unknown-field 3:1 A card of type 'agent' has no field 'agnets'. Did you mean 'agents'?",
    "error unknown-field 4:1 A card of type 'agent' has no field 'modle'. Did you mean 'model'?",
  ]);
  expect(issuesOf('a.md', '---\nagnets: [kid]\nmodle: gpt-4o\n---\nHello.\n')).toHaveLength(2);
});

test('front matter of other kinds is still none', () => {
  const foreign = [
    'license: mit\ntags: [x]\nmodels: [y]\nlanguage: en',
    'title: Hello\nlayout: post\ndate: today',
    'name: Bug\nabout: A bug\ntitle: Bug\nlabels: [bug]\nassignees: []',
  ];
  for (const text of foreign) {
    expect(issuesOf('a.md', `---\n${text}\n---\nHello.\n`).filter((issue) => issue.startsWith('error'))).toEqual([]);
  }
});

test('toolsets in a card are told where they belong', () => {
  const [issue] = issuesOf(
    'a.md',
    '---\nname: a\nmodel: x\ntoolsets:\n  delegation:\n    allow_workers: ["*"]\n---\nHi.\n',
  );
  expect(issue).toBe(
    "error unknown-field 4:1 A card of type 'agent' has no field 'toolsets'. Move it to callboard.yaml: 'toolsets', then the name of this agent, then these lines.",
  );
});
