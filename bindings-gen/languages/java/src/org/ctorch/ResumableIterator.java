package org.ctorch;

import java.util.Iterator;

/** An iterator of your own that knows where it is, so that a run can go on after a snapshot. */
public interface ResumableIterator<T> extends Iterator<T> {
  /** Where it is: whatever {@link Values} takes. */
  Object stateDict() throws Exception;

  /** Goes to where another one was. */
  void loadStateDict(Object state) throws Exception;
}
