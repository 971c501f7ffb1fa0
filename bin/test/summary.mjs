// What the tests say at the end.

/** Prints time, numbers and failed tests of each part, and the sums on the last line. Returns true if nothing failed. */
export function printSummary(results) {
  const all = [...results.values()];
  const width = Math.max(...[...results.keys()].map((name) => name.length));
  console.log('\n── Summary');
  for (const [name, { seconds, passed, failed, notRun = 0 }] of results) {
    const isTests = passed + failed.length > 0;
    const left = notRun > 0 ? `, ${notRun} not run after a failure` : '';
    const numbers = isTests ? `  ${passed} passed, ${failed.length} failed${left}` : '';
    console.log(`${name.padEnd(width)}  ${timeOf(seconds)}${numbers}`);
    for (const each of failed) console.log(`  ✗ ${each}`);
  }
  const passed = all.reduce((sum, each) => sum + each.passed, 0);
  const failed = all.reduce((sum, each) => sum + each.failed.length, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

function timeOf(seconds) {
  const whole = Math.round(seconds);
  return `${String(Math.floor(whole / 60)).padStart(3)} min ${String(whole % 60).padStart(2)} s`;
}
