// What the tests say at the end.

/** Prints time, numbers and failed tests of each part, and the sums on the last line. Returns true if nothing failed. */
export function printSummary(results) {
  console.log('\n── Summary');
  const width = Math.max(...[...results.keys()].map((name) => name.length));
  for (const [name, { seconds, passed, failed }] of results) {
    console.log(
      `${name.padEnd(width)}  ${timeOf(seconds)}  ${passed} passed, ${failed.length} failed`.replace(
        '  0 passed, 0 failed',
        '',
      ),
    );
    for (const each of failed) console.log(`  ✗ ${each}`);
  }
  const passed = [...results.values()].reduce((sum, each) => sum + each.passed, 0);
  const failed = [...results.values()].reduce((sum, each) => sum + each.failed.length, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

function timeOf(seconds) {
  const whole = Math.round(seconds);
  return `${String(Math.floor(whole / 60)).padStart(3)} min ${String(whole % 60).padStart(2)} s`;
}
