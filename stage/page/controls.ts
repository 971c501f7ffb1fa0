import { inputsOf, missingServices, release, trouble } from '@/stage/memory/backend';
import { breakStreams, sendTo } from '@/stage/memory/streams';
import { visited } from '@/stage/next/router';

/** What a test may do to the stage from outside (stage/tests/stage.ts). */
export const controls = { trouble, release, inputsOf, missingServices, sendTo, breakStreams, visited: () => visited };

declare global {
  interface Window {
    stage?: typeof controls;
  }
}
