import type { FixtureFinding, FixtureResult } from '@/lib/base/fixture-result';

const words = { passed: 'passed', failed: 'FAILED', broken: 'BROKEN' } as const;

/** Tells how a test ended: one line, and below it what was not as expected, or was not compared. */
export function toldResult({ name, mode, status, findings, problem, costUsd }: FixtureResult): string {
  const spent = costUsd === undefined ? '' : `, ${Number(costUsd.toPrecision(3))} USD`;
  const told = findings.filter(({ outcome }) => outcome !== 'passed').map(toldFinding);
  const lines = problem === undefined ? told : [`  ${problem}\n`, ...told];
  return `${words[status]}  ${name} (${mode}${spent})\n${lines.join('')}`;
}

function toldFinding({ what, outcome, expected, got }: FixtureFinding): string {
  const word = outcome === 'skipped' ? ', skipped' : '';
  return `  ${what}${word}\n    expected: ${indented(expected)}\n    got:      ${indented(got)}\n`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n              ');
}

export function summaryOf(results: readonly FixtureResult[]): string {
  const count = (status: FixtureResult['status']) => results.filter((one) => one.status === status).length;
  const parts = [`${count('passed')} passed`, `${count('failed')} failed`];
  if (count('broken') > 0) parts.push(`${count('broken')} broken`);
  return `\n${results.length} ${results.length === 1 ? 'test' : 'tests'}: ${parts.join(', ')}\n`;
}

/** Writes results as JUnit XML, which systems for continuous integration read. */
export function junitOf(results: readonly FixtureResult[]): string {
  const failures = results.filter(({ status }) => status === 'failed').length;
  const errors = results.filter(({ status }) => status === 'broken').length;
  const cases = results.map(({ name, status, findings, problem, tookMs }) => {
    const head = `    <testcase classname="callboard" name="${escaped(name)}" time="${(tookMs / 1000).toFixed(3)}"`;
    if (status === 'passed') return `${head}/>\n`;
    const failed = findings.filter(({ outcome }) => outcome === 'failed');
    const text =
      problem ?? failed.map(({ what, expected, got }) => `${what}: expected ${expected}; got ${got}`).join('\n');
    const tag = status === 'broken' ? 'error' : 'failure';
    const [first = ''] = text.split('\n', 1);
    return `${head}>\n      <${tag} message="${escaped(first)}">${escaped(text)}</${tag}>\n    </testcase>\n`;
  });
  const counts = `tests="${results.length}" failures="${failures}" errors="${errors}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="callboard" ${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`;
}

function escaped(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // XML 1.0 has no form for these characters.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
