import { z } from 'zod';

/** Takes a result of any kind. Results are read piece by piece, so one piece that is not known does not spoil the rest. */
export const anyResult = z.unknown();
