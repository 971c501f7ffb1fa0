import { benchFanOut } from './fan-out';
import { benchHookChain } from './hook-chain';
import { benchInstances } from './instances';
import { benchResume } from './resume';

console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Compare ratios: machines are noisy.`);
await benchFanOut();
await benchHookChain();
await benchInstances();
await benchResume();
