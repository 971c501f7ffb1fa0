import { buildStage } from '../build.mjs';
import { serveStage } from '../serve.mjs';

/** Builds the stage once and serves its files while the tests run. */
export default async function buildAndServe(): Promise<void> {
  await buildStage();
  process.env.CALLBOARD_STAGE = await serveStage(0, { isBuiltOnce: true });
}
