import { expect, test } from 'vitest';
import type { Issue } from '@/lib/base/issue';
import { problemWords, worstProblem } from './problem-groups';

const issue = (severity: Issue['severity'], line: number): Issue => ({
  code: 'some-code',
  severity,
  stage: 'callboard',
  file: 'lead.md',
  line,
  column: 1,
  message: 'Something.',
});

test('problems are counted by severity, and the worst is gone to first', () => {
  const infos = [issue('info', 1), issue('info', 2)];
  expect(problemWords(infos)).toBe('2 info');
  expect(worstProblem(infos)?.line).toBe(1);
  const mixed = [...infos, issue('warning', 3), issue('error', 4)];
  expect(problemWords(mixed)).toBe('1 error, 1 warning, 2 info');
  expect(worstProblem(mixed)?.severity).toBe('error');
  expect([problemWords([]), worstProblem([])]).toEqual(['', undefined]);
});
