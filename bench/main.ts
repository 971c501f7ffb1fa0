console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Compare ratios: machines are noisy.`);
if (process.argv[2] === 'editor') {
  // This part builds and starts the app, and needs Chromium.
  const { benchEditor } = await import('./editor');
  await benchEditor();
} else if (process.argv[2] === 'runs-list') {
  const { benchRunsList } = await import('./runs-list');
  await benchRunsList();
} else if (process.argv[2] === 'dashboard') {
  const { benchDashboard } = await import('./dashboard');
  await benchDashboard();
} else if (process.argv[2] === 'app') {
  const { benchApp } = await import('./app');
  await benchApp(process.argv.slice(3));
} else if (process.argv[2] === 'people') {
  const { benchPeople } = await import('./people');
  await benchPeople(process.argv.slice(3));
} else if (process.argv[2] === 'timeline') {
  const { benchTimeline } = await import('./timeline');
  await benchTimeline(process.argv.slice(3));
} else {
  console.error(`There is no benchmark '${process.argv[2]}'. docs/benchmarks.md has their names.`);
  process.exitCode = 2;
}
