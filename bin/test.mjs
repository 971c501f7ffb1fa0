// `npm test` and `npm run test:full` run all their parts, also after one has failed. At the end they name the failed tests.
// node bin/test.mjs [full] · node bin/test.mjs PART [arguments of its command]; bin/test/parts.mjs has the parts.
import { compile } from './compile.mjs';
import { daily, full, parts } from './test/parts.mjs';
import { printSummary } from './test/summary.mjs';

const [first, ...wanted] = process.argv.slice(2);
let stoppedBy;
// The command of the part that runs gets the signal too, and ends.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stoppedBy = signal;
  });
}

await import('./generate.mjs');
// Once here, and not by each of the tests that begin at the same time.
await compile();
const results = new Map();
for (const name of chosen()) {
  console.log(`\n── ${parts[name].title}`);
  const began = performance.now();
  const found = await runPart(parts[name], name === first ? wanted : []);
  results.set(name, { ...found, seconds: (performance.now() - began) / 1_000 });
}
process.exit(printSummary(results) ? 0 : 1);

/** Returns the names of the parts to run, in order. */
function chosen() {
  if (first === undefined) return daily;
  if (first === 'full') return full;
  if (parts[first] !== undefined) return parts[first].needsBuild ? ['build', first] : [first];
  console.error(`No part is named '${first}'. The parts are ${Object.keys(parts).join(', ')}, and full.`);
  process.exit(2);
}

async function runPart({ needsBuild, run }, args) {
  if (stoppedBy !== undefined) return notRun(stoppedBy);
  if (needsBuild && results.get('build').failed.length > 0) return notRun('the build failed');
  return await run(args).catch((error) => notRun(error.message));
}

function notRun(reason) {
  return { passed: 0, failed: [`not run: ${reason}`] };
}
