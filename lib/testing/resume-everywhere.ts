import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunEvent } from '@/lib/runtime/record/events';
import { runGraph, type TestRun, type TestRunInput } from './run-graph';
import type { ScriptedModel } from './scripted-model';

/** One resumed run: where its log was cut, its end, and the steps of its model calls. */
export interface ResumedRun {
  readonly length: number;
  readonly outcome: TestRun['outcome'];
  /** Steps that ran again although the log has their end. */
  readonly repeated: readonly string[];
  readonly log: readonly RunEvent[];
}

/**
 * Runs a graph, then resumes it from every place where a crash could have cut its log. `model` makes a new model for each
 * run.
 */
export async function resumeEverywhere(
  parsed: ParsedFolder,
  model: () => ScriptedModel,
  more: Partial<Pick<TestRunInput, 'request' | 'tools' | 'hooks' | 'remote'>> = {},
): Promise<{ readonly whole: TestRun; readonly resumed: readonly ResumedRun[] }> {
  const whole = await runGraph({ parsed, model: model(), ...more });
  const resumed: ResumedRun[] = [];
  for (let length = 0; length < whole.log.length; length += 1) {
    const cut = whole.log.slice(0, length);
    const answered = new Set(cut.flatMap((event) => (event.kind === 'model.ended' ? [event.step] : [])));
    const again = model();
    const { outcome, log } = await runGraph({ parsed, model: again, ...more, log: cut });
    const repeated = again.requests.map(({ step }) => step).filter((step) => answered.has(step));
    resumed.push({ length, outcome, repeated, log });
  }
  return { whole, resumed };
}
