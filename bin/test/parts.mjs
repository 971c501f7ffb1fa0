// The parts of the tests: the command of each, and which of them `npm test` and `npm run test:full` have.
import { availableParallelism } from 'node:os';
import { findBrowser } from '../find-browser.mjs';
import { freePorts } from './free-ports.mjs';
import { readFaults, readPlaywright, readVitest } from './read-report.mjs';
import { reportFile, runCommand } from './run-command.mjs';

/** Each part takes further arguments for its command, and resolves to `{ passed, failed }`: a number, and names. */
export const parts = {
  unit: {
    title: 'Unit, property and store tests',
    run: (args) => unitTests('unit', ['--project', '!full*', ...args]),
  },
  build: {
    title: 'Build',
    run: () => runCommand(['bin/build.mjs']),
  },
  stage: {
    title: 'Screens on the stage',
    run: (args) => browserTests('stage', 'stage/playwright.config.ts', args, settingsOf(args)),
  },
  e2e: {
    title: 'End to end',
    needsBuild: true,
    // Two at a time, because a test mostly waits. Tests that an argument names run alone.
    run: (args) =>
      args.length === 0
        ? appTests('e2e', 'playwright.config.ts', args, Math.min(2, availableParallelism()))
        : appTests('e2e', 'playwright.config.ts', args, 1, settingsOf(args)),
  },
  faults: {
    title: 'One fault of each kind',
    needsBuild: true,
    run: (args) => faultTests('faults', ['--smoke', ...args]),
  },
  'full-unit': {
    title: 'Long unit and store tests, and properties with all tries',
    run: (args) => unitTests('full-unit', ['--project', 'full*', ...args]),
  },
  'full-stage': {
    title: 'All screens, wide and on a phone',
    run: (args) => browserTests('full-stage', 'stage/playwright.full.config.ts', args),
  },
  'full-e2e': {
    title: 'Other installations, sizes and looks',
    needsBuild: true,
    run: (args) => appTests('full-e2e', 'e2e/full/playwright.config.ts', args, 1),
  },
  'full-faults': {
    title: 'The fault suite',
    needsBuild: true,
    run: (args) => faultTests('full-faults', args),
  },
};

/** `npm test`. */
export const daily = ['unit', 'build', 'stage', 'e2e', 'faults'];
/** `npm run test:full`: everything else. */
export const full = ['full-unit', 'full-stage', 'build', 'full-e2e', 'full-faults'];

/** Returns the name of the part that runs a test file. */
export function partOf(file) {
  if (file.startsWith('e2e/full/')) return 'full-e2e';
  if (file.startsWith('e2e/')) return 'e2e';
  if (file.startsWith('stage/') && file.endsWith('.spec.ts')) return 'stage';
  return /\.full\.test\.tsx?$/.test(file) ? 'full-unit' : 'unit';
}

/** Tests that an argument names run, also those of `npm run test:full`. */
function settingsOf(args) {
  return args.length === 0 ? {} : { CALLBOARD_TEST_TAGGED: '1' };
}

function unitTests(name, args) {
  const report = reportFile(name);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return runCommand(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], { report, read: readVitest });
}

/** Runs tests of the whole app in `count` processes. Each has an app, its address of models and a database of its own, so a test sees no others. */
async function appTests(name, config, args, count, settings = {}) {
  const ports = await freePorts(2 * count);
  const pairs = Array.from({ length: count }, (_, at) => `${ports[2 * at]}:${ports[2 * at + 1]}`);
  return await browserTests(name, config, args, { ...settings, CALLBOARD_TEST_PORTS: pairs.join(',') });
}

async function browserTests(name, config, args, settings = {}) {
  const report = reportFile(name);
  const env = { ...settings, CALLBOARD_TEST_BROWSER: findBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const command = ['node_modules/@playwright/test/cli.js', 'test', '-c', config, '--reporter=list,json', ...args];
  return await runCommand(command, { env, report, read: readPlaywright });
}

function faultTests(name, args) {
  const report = reportFile(name);
  const command = ['--import', 'tsx', 'e2e/faults/main.ts', '--report', report, '--seed', '14', ...args];
  return runCommand(command, { report, read: readFaults });
}
