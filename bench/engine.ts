import { benchFanOut } from './fan-out';
import { benchHookChain } from './hook-chain';
import { benchInstances } from './instances';
import { benchResume } from './resume';
import { benchWorkflows } from './workflows';

console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Compare ratios: machines are noisy.`);
await benchFanOut();
await benchWorkflows();
await benchHookChain();
await benchInstances();
await benchResume();
