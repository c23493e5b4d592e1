// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.clockhand.io.PageStore;
import io.clockhand.testkit.PageStoreContract;

class CountingStoreTest extends PageStoreContract {
    @Override
    protected PageStore open() {
        return new CountingStore(pageBytes());
    }

    @Override
    protected boolean isPersistent() {
        return false;
    }
}
