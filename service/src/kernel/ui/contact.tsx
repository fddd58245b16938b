/** How to reach the operator: a link if the contact is an e-mail address, otherwise the text. */
export function Contact({ contact }: { contact: string }) {
  return /^[^@\s]+@[^@\s]+$/.test(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : <>{contact}</>;
}

/** What to do to reach the operator, as part of a sentence. */
export function AskOperator({ contact }: { contact: string }) {
  return (
    <>
      contact <Contact contact={contact} />
    </>
  );
}
