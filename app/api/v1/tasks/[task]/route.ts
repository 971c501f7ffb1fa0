import { respond } from '@/app/api/respond';
import { type TaskParams, taskId } from '@/app/api/task-id';
import { waitForTask } from '@/lib/server/tasks';

/** Answers when the task has ended, or after some seconds. */
export const GET = respond<TaskParams>(async (request, params, actor) => {
  const task = await waitForTask(actor, taskId(params), request.signal);
  if (task.state !== 'ended') return { state: task.state };
  // The answer is stored as JSON text.
  return new Response(`{"state":"ended","answer":${task.answer}}`, { headers: { 'Content-Type': 'application/json' } });
});
