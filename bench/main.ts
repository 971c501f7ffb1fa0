import { benchFanOut } from './fan-out';
import { benchHookChain } from './hook-chain';

console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Compare ratios: machines are noisy.`);
await benchFanOut();
await benchHookChain();
