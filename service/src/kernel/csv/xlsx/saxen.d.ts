// saxen has no types of its own.
declare module 'saxen' {
  type Decode = (text: string) => string;

  interface Handlers {
    error: (error: Error) => void;
    openTag: (name: string, attributes: () => Record<string, string>) => void;
    closeTag: (name: string) => void;
    text: (text: string, decode: Decode) => void;
    cdata: (text: string) => void;
    comment: (text: string) => void;
    /** `<?...?>` */
    question: (text: string) => void;
    /** `<!...>` other than a comment or CDATA. */
    attention: (text: string) => void;
  }

  export class Parser {
    on<Name extends keyof Handlers>(name: Name, handler: Handlers[Name]): this;
    write(piece: string): this;
    end(): this;
  }
}
