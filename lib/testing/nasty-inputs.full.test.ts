import { nastyGroups } from './nasty-inputs';
import { testLinearTime } from './test-linear-time';

const inputsInAll = 2_000;
const familyCount = nastyGroups.reduce((sum, { families }) => sum + families.length, 0);

testLinearTime(Math.ceil(inputsInAll / familyCount));
