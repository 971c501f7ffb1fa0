import { z } from 'zod';
import type { RunStatus } from '@/lib/runtime/record/events';

export type RunState = 'queued' | 'running' | RunStatus;

export const storedStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']);
