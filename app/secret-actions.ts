'use server';

import { z } from 'zod';
import { forgetSecret, readSecrets, setSecret, startKeyTest, startModelList } from '@/lib/server/secrets';
import { action } from './action';
import { keyTestBody, ownAddressBody, secretBody, secretPlace } from './api/secret-bodies';

const place = z.strictObject({ project: secretPlace });

/** Lists secrets without their values, like the actions below, which return what is there then. */
export const listSecrets = action(place, async ({ project }, actor) => await readSecrets(actor, project));

export const saveSecret = action(
  secretBody.extend({ project: secretPlace, name: z.string() }),
  async ({ project, ...secret }, actor) => {
    await setSecret(actor, project, secret);
    return await readSecrets(actor, project);
  },
);

export const removeSecret = action(place.extend({ name: z.string() }), async ({ project, name }, actor) => {
  await forgetSecret(actor, project, name);
  return await readSecrets(actor, project);
});

/** Asks a worker to try a key, and returns the id of the task. */
export const beginKeyTest = action(
  keyTestBody.extend({ project: secretPlace, name: z.string() }),
  async ({ project, ...key }, actor) => await startKeyTest(actor, project, key),
);

/** Asks a worker for the models of an address of one's own, and returns the id of the task. */
export const beginModelList = action(ownAddressBody, async ({ project, ...own }, actor) =>
  startModelList(actor, project, own),
);
