/** Shows the operator's contact: a link if it is an e-mail address, otherwise the text. */
export function Contact({ contact }: { contact: string }) {
  return /^[^@\s]+@[^@\s]+$/.test(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : <>{contact}</>;
}

/** Asks the reader to contact the operator, as part of a sentence. */
export function AskOperator({ contact }: { contact: string }) {
  return (
    <>
      contact <Contact contact={contact} />
    </>
  );
}
