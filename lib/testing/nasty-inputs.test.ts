import { testLinearTime } from './test-linear-time';

// A few sizes of each family, because the large ones take most of the time. nasty-inputs.full.test.ts has more and larger ones.
testLinearTime(4, 0.5);
