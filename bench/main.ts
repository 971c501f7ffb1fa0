import { benchFanOut } from './fan-out';

console.log(`Node ${process.version}, ${process.platform} ${process.arch}. Compare ratios: machines are noisy.`);
await benchFanOut();
