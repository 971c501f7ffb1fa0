/** Who does something, and through what. Without accounts everybody who may use the app is `local`. */
export interface Actor {
  readonly by: string;
  readonly via: 'web' | 'api';
}
