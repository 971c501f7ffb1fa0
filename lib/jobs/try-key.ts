import { hideValues } from '@/lib/base/hide-values';
import type { KeyReport } from '@/lib/base/key-report';
import type { KeyRequest, ModelsRequest, TaskAnswer } from '@/lib/base/task';
import { keyEndpoint, ownEndpoint } from '@/lib/cards/models/key-endpoint';
import { listModels } from '@/lib/models/list-models';
import { testKey } from '@/lib/models/test-key';
import { typedLabel, unsealNamed } from '@/lib/store/sealing';
import { sealedSecretsOf } from '@/lib/store/secrets';
import type { TakenTask } from '@/lib/store/tasks';
import type { RunContext } from './run-context';
import { openSecret } from './run-secrets';

/**
 * Tries a key of a model provider: the one in the request, or that of the secret with its name in the place of the task. It goes where
 * calls of models would take it.
 */
export async function tryKey(
  context: Pick<RunContext, 'store' | 'keys' | 'log' | 'seen' | 'accounts' | 'guard' | 'modelEnv' | 'hidden'>,
  task: Pick<TakenTask, 'id' | 'projectId'>,
  { name, sealed }: KeyRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const value =
    sealed === undefined
      ? await stored(context, task.projectId, name)
      : unsealNamed(sealed, typedLabel(task.id), context.keys);
  if (value === undefined) {
    return { ok: false, code: 'not_found', message: `There is no secret ${name} here that opens. Set it again.` };
  }
  context.seen?.add([value]);
  const found = keyEndpoint(name, value, context.modelEnv.variables);
  const report: KeyReport = found.ok
    ? await testKey(found.value, context.guard, signal)
    : { outcome: 'wrong address', message: found.error, models: [] };
  return hideValues<TaskAnswer>({ ok: true, kind: 'key', report }, [value, ...context.hidden.everywhere]);
}

/** Lists the models of an address of one's own, as a run would reach it if the folder named it. */
export async function listModelsOf(
  context: Pick<RunContext, 'keys' | 'seen' | 'guard' | 'hidden'>,
  { id }: Pick<TakenTask, 'id'>,
  { section, address, sealed }: ModelsRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const key = sealed === undefined ? undefined : unsealNamed(sealed, typedLabel(id), context.keys);
  if (key !== undefined) context.seen?.add([key]);
  const found = ownEndpoint({ section, address, key });
  const report: KeyReport = found.ok
    ? await listModels(found.value, context.guard, signal)
    : { outcome: 'wrong address', message: found.error, models: [] };
  const hidden = key === undefined ? context.hidden.everywhere : [key, ...context.hidden.everywhere];
  return hideValues<TaskAnswer>({ ok: true, kind: 'key', report }, hidden);
}

async function stored(
  context: Pick<RunContext, 'store' | 'accounts' | 'keys' | 'log' | 'seen'>,
  project: TakenTask['projectId'],
  name: string,
): Promise<string | undefined> {
  const all = await sealedSecretsOf(context.store, project, context);
  const secret = all.find((each) => each.project === project && each.name === name);
  return secret && openSecret(context, secret);
}
