/**
 * How processes that a graph starts (stdio MCP servers, Python, shell commands) are isolated from other processes on Linux:
 *
 *   hidden      a PID namespace with its own /proc: other processes are invisible
 *   unreadable  a PID namespace and a user namespace, /proc is the machine's: other processes are visible, not readable
 *   none        no namespaces: they can read the environment of every process of the same user
 *
 * With the first two, every descendant of such a process ends with it, even one that left the process group.
 */
export type FenceKind = 'hidden' | 'unreadable' | 'none';

/** Describes the state in a word, and its consequence, for logs and the Settings page. */
export function describeFence(kind: FenceKind): { readonly state: string; readonly meaning: string } {
  switch (kind) {
    case 'hidden':
      return {
        state: 'On',
        meaning: 'MCP servers, Python and commands see no other processes, and end with all they started.',
      };
    case 'unreadable':
      return {
        state: 'On, in part',
        meaning:
          'MCP servers, Python and commands see other processes but cannot read their variables, and end with all they started.',
      };
    case 'none':
      return {
        state: 'Off',
        meaning:
          'This system allows no PID namespaces: MCP servers, Python and commands can read the variables of your other processes, and one that hides may outlive its run.',
      };
  }
}
