import { z } from 'zod';

/** Whether the spans of a framework, which an import folded into steps, are shown beside the steps of a run. */
export const spansToShow = z.enum(['steps', 'all'], '"steps" or "all".').default('steps');
