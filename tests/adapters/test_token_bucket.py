"""Rate limits: token buckets and their budgets."""

from adapters.port import Budget, TokenBucket


def taken(bucket: TokenBucket, times: int, now: float) -> TokenBucket:
    for _ in range(times):
        bucket.take(now)
    return bucket


def test_a_burst_is_free_and_then_tokens_come_one_by_one() -> None:
    bucket = TokenBucket(Budget(seconds=2.0, burst=3))
    assert taken(bucket, 2, 100.0).wait(100.0) == 0.0
    assert taken(bucket, 1, 100.0).wait(100.0) == 2.0
    assert bucket.wait(101.5) == 0.5
    assert taken(bucket, 1, 102.0).wait(102.0) == 2.0


def test_no_more_than_a_burst_is_saved_or_owed() -> None:
    bucket = TokenBucket(Budget(seconds=2.0, burst=3))
    assert bucket.wait(1_000_000.0, 3) == 0.0
    assert taken(bucket, 1, 1_000_000.0).wait(1_000_000.0, 3) == 2.0
    assert taken(bucket, 40, 1_000_000.0).wait(1_000_000.0) == 2.0 * (3 + 1)
    assert not bucket.is_full(1_000_011.0)
    assert bucket.is_full(1_000_012.0)


def test_a_budget_of_no_seconds_is_never_used_up() -> None:
    bucket = TokenBucket(Budget(seconds=0.0, burst=2))
    assert taken(bucket, 10, 5.0).wait(5.0) == 0.0
    assert bucket.is_full(5.0)
