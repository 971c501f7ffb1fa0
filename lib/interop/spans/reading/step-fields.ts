import type { ImportedStep } from '@/lib/interop/log/imported-step';

/** What is known of a step. `rest` has what of an attribute was not read. */
export type StepFields = Partial<ImportedStep>;
