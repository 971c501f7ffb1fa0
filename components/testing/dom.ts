import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Files share their process and its document (vitest.config.ts), so each test takes what it rendered away.
afterEach(cleanup);
