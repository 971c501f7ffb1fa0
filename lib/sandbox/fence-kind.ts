/**
 * How processes of a graph (stdio MCP servers, Python, commands of a shell) are kept apart from other processes (Linux):
 *
 *   hidden      a PID namespace with a /proc of its own: other processes are not there
 *   unreadable  a PID namespace and a user namespace, /proc is the machine's: other processes can be seen, not read
 *   none        neither: they can read the environment of every process of the same user
 *
 * With the first two, all processes that a graph process has started end with it, whatever they did to get away.
 */
export type FenceKind = 'hidden' | 'unreadable' | 'none';

/** For logs and the Settings page: in a word, and what follows from it. */
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
