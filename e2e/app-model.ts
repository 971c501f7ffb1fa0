import { type FakeOpenAI, type FakeOpenAIOptions, startFakeOpenAI } from '../lib/testing/fake-openai';
import { testAppOf } from './test-apps';
import { signedIn } from './test-token';

/**
 * Starts a model server behind the address at which the app of a worker process asks `openai` (./model-door.ts). With `stored`, that key is stored
 * for all projects. `close` takes the server and any key away, so that the next file finds the app without them.
 */
export async function startAppModel(
  parallelIndex: number,
  { stored, ...options }: FakeOpenAIOptions & { readonly stored?: string },
): Promise<FakeOpenAI> {
  const { port, modelPort } = testAppOf(parallelIndex);
  const secret = `http://127.0.0.1:${port}/api/v1/secrets/OPENAI_API_KEY`;
  const lead = async (to: string) =>
    await expectDone(`http://127.0.0.1:${modelPort}/target`, { method: 'PUT', body: to });

  const model = await startFakeOpenAI(options);
  await lead(new URL(model.url).origin);
  if (stored !== undefined) {
    const headers = { ...signedIn, 'content-type': 'application/json' };
    await expectDone(secret, { method: 'PUT', headers, body: JSON.stringify({ value: stored }) });
  }
  return {
    ...model,
    async close() {
      await expectDone(secret, { method: 'DELETE', headers: signedIn }, [404]);
      await lead('');
      await model.close();
    },
  };
}

async function expectDone(url: string, request: RequestInit, alsoFine: readonly number[] = []): Promise<void> {
  const answer = await fetch(url, request);
  if (!answer.ok && !alsoFine.includes(answer.status)) {
    throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  }
}
