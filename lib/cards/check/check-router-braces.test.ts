import { describe, expect, it } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';

function issuesOf(instruction: string, type = 'router', front = ''): readonly string[] {
  const folder = new Map([
    ['kid.md', { kind: 'text' as const, text: '---\nname: kid\n---\nYou are kid.\n' }],
    [
      'r.md',
      { kind: 'text' as const, text: `---\nname: r\ntype: ${type}\nagents: [kid]\n${front}---\n${instruction}\n` },
    ],
  ]);
  return readFolder(folder).issues.flatMap(({ code, severity, line, column, message }) =>
    code === 'router-braces' ? [`${severity} ${line}:${column} ${message}`] : [],
  );
}

describe('braces in the instruction of a router', () => {
  it.each([
    ['Answer {"agent": "kid"} as JSON.', `6:8`, '{"agent": "kid"}'],
    ['Choose.\nFrom {agents}.', '7:6', '{agents}'],
    ['A set {} is empty.', '6:7', '{}'],
    ['Never closed {', '6:14', '{'],
    ['Never opened }.', '6:14', '}'],
    ['{context} and {{this}} and {that}', '6:28', '{that}'],
  ])('are an error with its place: %j', (text, place, named) => {
    const [issue, ...others] = issuesOf(text);
    expect(others).toEqual([]);
    expect(issue).toContain(`error ${place} fast-agent takes '${named}' `);
  });

  it.each([
    'Choose from {context}.',
    '{context!s:>10}',
    'Today is {{currentDate}}: {{"agent": "kid"}}',
    'No braces.',
    `For \${TEAM}.`,
  ])('are none that it fills in or that are doubled: %j', (text) => {
    expect(issuesOf(text)).toEqual([]);
  });

  it('are text in the instruction of other agents', () => {
    expect(issuesOf('Answer {"agent": "kid"}.', 'orchestrator')).toEqual([]);
  });

  it('are found in the field too', () => {
    const issues = issuesOf('', 'router', 'instruction: |\n  Choose\n  {one}\n');
    expect(issues).toEqual([expect.stringMatching(/^error 7:3 /)]);
  });
});
