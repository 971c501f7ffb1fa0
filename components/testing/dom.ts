import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Files share their process and its document (vitest.config.ts), so what a test rendered or added is taken away: the next test that presses
// Tab begins with an empty page.
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
