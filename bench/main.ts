import { benchFanOut } from './fan-out';
import { benchHookChain } from './hook-chain';
import { benchInstances } from './instances';
import { benchResume } from './resume';
import { benchWorkflows } from './workflows';

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
  await benchFanOut();
  await benchWorkflows();
  await benchHookChain();
  await benchInstances();
  await benchResume();
}
