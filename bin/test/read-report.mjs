// Reads the reports of test runners: how many tests passed, and the names of those that failed.
import { join, relative } from 'node:path';

export function readVitest({ numPassedTests, testResults }, root) {
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const titles = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    // A file that cannot be loaded has no tests.
    if (status === 'failed' && titles.length === 0) return [`${file} › ${firstLine(message)}`];
    return titles.map((title) => `${file} › ${title}`);
  });
  return { passed: numPassedTests, failed };
}

export function readPlaywright({ config, suites, errors }, root) {
  const tests = suites.flatMap((suite) => testsOf(suite, [relative(root, join(config.rootDir, suite.file))]));
  const named = (status) => tests.filter((test) => test.status === status).map(({ title }) => title);
  // After a failure, the rest of a file that runs in order does not run.
  const left = tests.filter(({ status, expectedStatus }) => status === 'skipped' && expectedStatus !== 'skipped');
  return {
    passed: named('expected').length,
    notRun: left.length,
    failed: [...named('unexpected'), ...named('flaky'), ...errors.map(({ message }) => firstLine(message))],
  };
}

function testsOf({ specs, suites = [] }, above) {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, status, expectedStatus }) => ({
      status,
      expectedStatus,
      title: `${[...above, title].join(' › ')}${projectName === '' ? '' : ` (${projectName})`}`,
    })),
  );
  return [...own, ...suites.flatMap((suite) => testsOf(suite, [...above, suite.title]))];
}

export function readFaults({ passed, failed }) {
  return { passed, failed };
}

/** Returns the first line of a message, without the codes for colours. */
function firstLine(message) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told colours by them
  return (message ?? '').replaceAll(/\u001b\[\d*m/g, '').split('\n')[0];
}
